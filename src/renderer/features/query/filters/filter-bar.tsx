import { ListFilter, X } from 'lucide-react';
import { useMemo } from 'react';
import { useStore } from 'zustand';
import { rangeFieldOf } from '../../../../shared/language/text/conditions.ts';
import {
  readFilters,
  removeFilter,
  writeFilter,
  type Filter,
} from '../../../../shared/language/text/filters.ts';
import type { FieldNames } from '../../../../shared/channels/plain-names.ts';
import { useSession, useTab } from '../../../contexts.ts';
import { useFields } from '../../datasets/field-catalogue.ts';
import { quickFilters } from './filter-values.ts';
import { useFieldNames } from '../../datasets/use-field-names.ts';
import { Button } from '../../../ui/button.tsx';
import { LazyPart } from '../../../ui/lazy-part.tsx';
import { Popup } from '../../../ui/popup.tsx';
import { Loading } from '../../../ui/view-states.tsx';
import { words } from '../../../words/words.ts';

const fetchForm = () => import('./filter-form.tsx');
const w = words.query.filter;

/** The paths whose conditions the pickers of wells and of the range show. */
function usePickedPaths(): readonly string[] {
  const { dataset, scopePath } = useTab('query');
  const scope = scopePath();
  return useMemo(
    () => [scope, rangeFieldOf(dataset.type)?.path].flatMap((path) => path ?? []),
    [dataset.type, scope],
  );
}

interface FilterBarProps {
  readonly conditions: string;
  /** Shows the text of the query, which has the conditions that no form shows. */
  readonly onShowText: () => void;
}

/** The conditions of the query on fields, each in words and with its form, and a button that adds one. */
export function FilterBar({ conditions, onShowText }: FilterBarProps) {
  const { actions, results, dataset } = useTab('query');
  const names = useFieldNames(dataset);
  const units = useStore(results.store, (state) => state.units);
  const picked = usePickedPaths();
  const filters = useMemo(() => readFilters(conditions, picked), [conditions, picked]);
  const { connection } = useSession();
  const fields = useFields(connection, dataset)?.fields;
  const quick = useMemo(() => quickFilters(fields ?? []), [fields]);
  if (!filters) return null;
  // A field has one filter, which its own form changes.
  const offered = quick.filter(({ filter: { path } }) =>
    filters.filters.every((filter) => filter.path !== path),
  );
  return (
    <>
      {filters.filters.map((filter) => {
        const text = filterText(filter, names, units.get(filter.path));
        return (
          <span key={filter.path} className="row gap-0 min-0 box">
            <FilterPopup filter={filter} text={text} picked={picked} />
            <Button
              variant="quiet"
              size="small"
              icon={X}
              className="flex-none"
              aria-label={w.remove(text)}
              onPress={() => actions.change((query) => removeFilter(query, filter.path))}
            />
          </span>
        );
      })}
      {filters.others > 0 && (
        <Button variant="quiet" onPress={onShowText}>
          {w.others(filters.others)}
        </Button>
      )}
      <FilterPopup filter={null} text={w.add} picked={picked} />
      {offered.map(({ id, filter }) => (
        <Button
          key={id}
          variant="quiet"
          className="scope-offer"
          aria-label={w.quick.add(w.quick.names[id])}
          onPress={() => actions.change((query) => writeFilter(query, filter))}
        >
          {w.quick.names[id]}
        </Button>
      ))}
    </>
  );
}

/** A filter in words, such as `ROP > 100 ft/h`. */
function filterText({ path, operator, values }: Filter, names: FieldNames, unit: string | undefined): string {
  const texts = values.map((value) =>
    typeof value === 'number' && unit ? `${value} ${unit}` : String(value),
  );
  return w.text(names(path).line, operator, texts);
}

interface FilterPopupProps {
  /** Null: a new one. */
  readonly filter: Filter | null;
  readonly text: string;
  readonly picked: readonly string[];
}

function FilterPopup({ filter, text, picked }: FilterPopupProps) {
  return (
    <Popup
      heading={filter ? w.change : w.heading}
      placement="bottom start"
      trigger={
        <Button
          variant="quiet"
          className="min-0"
          aria-label={filter ? w.button(text) : text}
          {...(filter ? {} : { icon: ListFilter })}
        >
          <span className={filter ? 'ellipsis' : 'filter-add'}>{text}</span>
        </Button>
      }
    >
      {(close) => (
        <LazyPart fetch={fetchForm} waiting={<Loading what={w.loading} />}>
          {({ FilterForm }) => <FilterForm filter={filter} picked={picked} onDone={close} />}
        </LazyPart>
      )}
    </Popup>
  );
}
