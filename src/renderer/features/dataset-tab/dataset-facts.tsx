import { useId } from 'react';
import { KeyRound } from 'lucide-react';
import type { Dataset } from '../../../shared/datasets/datasets.ts';
import { formatBytes, formatCount } from '../../format/numbers.ts';
import { useSessionState, useTabState } from '../../contexts.ts';
import { Fact } from '../../ui/fact.tsx';
import { words } from '../../words/words.ts';

/** Indexes, statistics, and permissions from the definition. */
export function DatasetFacts() {
  const statisticsHeadingId = useId();
  const permissionsHeadingId = useId();
  const indexesHeadingId = useId();
  const datasetOriginId = useId();
  const dataset = useTabState('dataset', (state) => state.dataset);
  const company = useSessionState('datasets', (state) =>
    dataset.companyId === null ? null : (state.companies.get(dataset.companyId) ?? null),
  );
  const w = words.datasets;
  const { statistics, permissions, companyId } = dataset;
  const bytes = (size: number | null) => (size === null ? null : formatBytes(size));
  return (
    <>
      <section className="dataset-part" aria-labelledby={indexesHeadingId}>
        <h3 id={indexesHeadingId}>{w.indexes}</h3>
        <Indexes indexes={dataset.indexes} />
      </section>
      <section className="dataset-part" aria-labelledby={statisticsHeadingId}>
        <h3 id={statisticsHeadingId}>{w.statistics}</h3>
        <dl className="facts numbers">
          <Fact name={w.statisticsOf.count}>
            {statistics.count === null ? null : formatCount(statistics.count)}
          </Fact>
          <Fact name={w.statisticsOf.size}>{bytes(statistics.size)}</Fact>
          <Fact name={w.statisticsOf.storageSize}>{bytes(statistics.storageSize)}</Fact>
          <Fact name={w.statisticsOf.indexSize}>{bytes(statistics.indexSize)}</Fact>
        </dl>
      </section>
      <section className="dataset-part" aria-labelledby={permissionsHeadingId}>
        <h3 id={permissionsHeadingId}>{w.permissions}</h3>
        {Object.keys(permissions).length === 0 ? (
          <p className="quiet">{w.noPermissions}</p>
        ) : (
          <dl className="facts">
            {Object.entries(permissions).map(([what, how]) => (
              <Fact key={what} name={w.permission(what)}>
                {how === 'request' ? w.request : how}
              </Fact>
            ))}
          </dl>
        )}
      </section>
      <section className="dataset-part" aria-labelledby={datasetOriginId}>
        <h3 id={datasetOriginId}>{w.origin}</h3>
        <dl className="facts">
          <Fact name={w.companyOf}>{company ?? (companyId === null ? null : w.company(companyId))}</Fact>
          <Fact name={w.providerOf}>{dataset.provider}</Fact>
          <Fact name={w.id}>{dataset.id}</Fact>
        </dl>
      </section>
    </>
  );
}

/** Each index with the sorts that it supports, in its own or the reverse order. */
function Indexes({ indexes }: { indexes: Dataset['indexes'] }) {
  if (indexes.length === 0) return <p className="quiet">{words.datasets.noIndexes}</p>;
  return (
    <ul className="dataset-indexes">
      {indexes.map(({ name, fields, unique }) => (
        <li key={name}>
          <code>
            {fields.map(({ path, direction }) => `${path} ${direction === 1 ? '↑' : '↓'}`).join(', ')}
          </code>
          {unique && (
            <span className="dataset-unique quiet small">
              <KeyRound size={12} aria-hidden /> {words.datasets.unique}
            </span>
          )}
          <span className="quiet small">{words.datasets.serves(fields.map(({ path }) => path))}</span>
        </li>
      ))}
    </ul>
  );
}
