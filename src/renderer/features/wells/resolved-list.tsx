import { CircleCheck, CircleHelp, CircleX } from 'lucide-react';
import type { PlatformWellId } from '../../../shared/wells/well-ids.ts';
import type { ResolvedName, Well } from '../../../shared/wells/wells.ts';
import { SelectBox } from '../../ui/select-box.tsx';
import { Status } from '../../ui/status.tsx';
import { words } from '../../words/words.ts';
import type { PasteResult } from './paste-result.ts';

export interface ResolvedListProps {
  readonly result: PasteResult;
  readonly onPick: (name: string, platformId: PlatformWellId) => void;
}

/** The result of a pasted list: matched, not found, and ambiguous names. */
export function ResolvedList({ result, onPick }: ResolvedListProps) {
  const { all, ambiguous, notFound, picks, withoutAsset } = result;
  const w = words.wells.paste;
  return (
    <div className="stack gap-3">
      <Status className="row numbers">
        <CircleCheck size={14} aria-hidden className="tone-ok" />
        {w.found(all - notFound.length - ambiguous.length + picks.size, all)}
      </Status>
      {withoutAsset.length > 0 && <p className="quiet">{w.noData(withoutAsset.length)}</p>}
      {ambiguous.length > 0 && (
        <section aria-label={w.ambiguous(ambiguous.length)}>
          <h3 className="row">
            <CircleHelp size={14} aria-hidden />
            {w.ambiguous(ambiguous.length)}
          </h3>
          <ul className="resolved-some">
            {ambiguous.map((group) => (
              <Ambiguous key={group.name} resolved={group} pick={picks.get(group.name)} onPick={onPick} />
            ))}
          </ul>
        </section>
      )}
      {notFound.length > 0 && (
        <section aria-label={w.notFound(notFound.length)}>
          <h3 className="row">
            <CircleX size={14} aria-hidden />
            {w.notFound(notFound.length)}
          </h3>
          <p className="quiet">{w.notFoundHint}</p>
          <ul className="resolved-some resolved-names mono">
            {notFound.map((name) => (
              <li key={name}>{name}</li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

const noPick = '';

interface AmbiguousProps {
  readonly resolved: ResolvedName;
  readonly pick: PlatformWellId | undefined;
  readonly onPick: ResolvedListProps['onPick'];
}

function Ambiguous({ resolved: { name, wells }, pick, onPick }: AmbiguousProps) {
  const options = [
    ...(pick === undefined ? [{ id: noPick, text: words.wells.paste.pick }] : []),
    ...wells.map((well) => ({ id: String(well.platformId), text: distinguish(well) })),
  ];
  return (
    <li className="resolved-choice">
      <span className="ellipsis">{name}</span>
      <SelectBox
        label={words.wells.paste.which(name)}
        value={pick === undefined ? noPick : String(pick)}
        options={options}
        onChange={(id) => {
          const well = wells.find(({ platformId }) => String(platformId) === id);
          if (well) onPick(name, well.platformId);
        }}
      />
    </li>
  );
}

function distinguish({ name, apiNumber, assetId, area }: Well): string {
  const asset = assetId === null ? words.wells.noAsset : words.wells.inRow.assetId(String(assetId));
  return [name, apiNumber, area, asset].filter((part) => part !== null).join(' · ');
}
