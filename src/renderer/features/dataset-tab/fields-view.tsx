import { useDeferredValue, useMemo } from 'react';
import type { DatasetFields } from '../../../shared/datasets/datasets.ts';
import { pathNames } from '../../../shared/column-paths.ts';
import type { DatasetField } from '../../../shared/datasets/fields.ts';
import { wordSearch } from '../../format/word-search.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { Empty, Loading } from '../../ui/view-states.tsx';
import { PickList } from '../../ui/pick-list.tsx';
import { SearchBox } from '../../ui/search-box.tsx';
import { Status } from '../../ui/status.tsx';
import { words } from '../../words/words.ts';
import { columnOrder } from '../records/columns.ts';
import { ConnectionFailed } from '../connections/connection-failed.tsx';
import { useTab, useTabState } from '../../contexts.ts';
import { FieldRow, fieldText } from './field-row.tsx';

const rowHeight = 28;

/** The fields of the dataset, from its type, its definition, and a sample of its records. */
export function FieldsView() {
  const { actions } = useTab('dataset');
  const fields = useTabState('dataset', (state) => state.fields);
  const again = () => void actions.loadFields();
  return (
    <section className="dataset-fields" aria-label={words.datasets.fields}>
      {fields.status === 'idle' && (
        <Empty action={<Button onPress={again}>{words.datasets.askFields}</Button>}>
          {words.datasets.fieldsNotRead}
        </Empty>
      )}
      {fields.status === 'loading' && (
        <Loading what={words.datasets.fieldsLoading} onCancel={() => actions.cancel('fields')} />
      )}
      {fields.status === 'failed' && <ConnectionFailed error={fields.error} onRetry={again} />}
      {fields.status === 'loaded' && <Fields listed={fields.value} />}
    </section>
  );
}

/** The fields in the order of the table's columns: what all records of a dataset share is last. */
const fieldOrder = (fields: readonly DatasetField[]): readonly DatasetField[] =>
  columnOrder(fields.map((field) => ({ field, path: pathNames(field.path), characters: Infinity }))).map(
    ({ field }) => field,
  );

/** The fields whose path, unit, description, or texts contain every word. */
function searchFields(fields: readonly DatasetField[], text: string): readonly DatasetField[] {
  const matches = wordSearch(text);
  return fields.filter(({ path, unit, description, values }) =>
    matches([path, unit, description, ...(values ?? [])].join('\n')),
  );
}

function Fields({ listed }: { listed: DatasetFields }) {
  const { actions } = useTab('dataset');
  const search = useTabState('dataset', (state) => state.search);
  const wells = useTabState('dataset', (state) => state.wells.length);
  const text = useDeferredValue(search);
  const { fields, sampled, of, more, problem } = listed;
  const ordered = useMemo(() => fieldOrder(fields), [fields]);
  const shown = useMemo(() => searchFields(ordered, text), [ordered, text]);
  const w = words.datasets;
  return (
    <>
      <div className="dataset-fields-head">
        <h3>{w.fields}</h3>
        <SearchBox
          className="dataset-fields-search"
          label={w.searchFields}
          placeholder={w.searchFieldsHint}
          value={search}
          onChange={actions.search}
        />
        <Status className="quiet numbers">{w.sampled(sampled, of === 'wells' ? wells : 0)}</Status>
      </div>
      {problem && (
        <Alert isStrip tone="warning">
          {problem.message}
        </Alert>
      )}
      {of === 'any' && wells > 0 && (
        <Alert isStrip tone="info">
          {w.sampledOthers}
        </Alert>
      )}
      <div className="field-row field-row-head" aria-hidden>
        {w.fieldColumns.map((name) => (
          <span key={name}>{name}</span>
        ))}
      </div>
      <div className="dataset-fields-body">
        {shown.length === 0 ? (
          <Empty action={<Button onPress={() => actions.search('')}>{words.clearSearch}</Button>}>
            {w.noField}
          </Empty>
        ) : (
          <PickList
            label={w.fields}
            items={shown}
            keyOf={({ path }) => path}
            nameOf={fieldText}
            rowHeight={rowHeight}
            render={(field) => <FieldRow field={field} />}
          />
        )}
      </div>
      <Status className="list-foot quiet numbers">
        {w.fieldsShown(shown.length, fields.length)} {more && w.moreFields}
      </Status>
    </>
  );
}
