import { CircleAlert, CircleCheck, Undo2 } from 'lucide-react';
import { useMemo, useState } from 'react';
import { type WellColumn, minWells, type NamedWell } from '../../../../shared/upload/proposals.ts';
import { Button } from '../../../ui/button.tsx';
import { Empty, Loading } from '../../../ui/view-states.tsx';
import { Status } from '../../../ui/status.tsx';
import { uploadWords } from '../../../words/upload.ts';
import { words } from '../../../words/words.ts';
import { ConnectionFailed } from '../../connections/connection-failed.tsx';
import {
  hasAssetId,
  isApiNumber,
  joinedWords,
  type ScopedWell,
  type Well,
} from '../../../../shared/wells/wells.ts';
import { listedWells } from '../../wells/wells-state.ts';
import { useSessionState, useTab, useTabState } from '../../../contexts.ts';
import { placeKind, isConverted } from '../upload-state.ts';
import { WellBox } from '../../wells/filters.tsx';
import { namesToResolve, type NameToResolve, withFileWells } from './file-wells.ts';
import { Alert } from '../../../ui/alert.tsx';
import { Section } from '../../../ui/section.tsx';
import { useUploadParts, useWellQuestion } from '../upload-parts.tsx';

const w = uploadWords.wells;
/** More rows than these are hidden at first. */
const initialRows = 30;

export function WellNamesSection() {
  const wellNames = useTabState('upload', (state) => state.wellNames);
  const naming = useTabState('upload', ({ choices }) =>
    Object.values(choices.columns).some((choice) => !choice.skip && (choice.by ?? 'id') !== 'id'),
  );
  const { actions } = useTab('upload');
  if (!naming) return null;
  return (
    <Section heading={w.heading}>
      {wellNames.status === 'loading' && <Loading what={w.looking} onCancel={actions.cancelWells} />}
      {wellNames.status === 'failed' && (
        <ConnectionFailed error={wellNames.error} onRetry={() => void actions.loadWells()} />
      )}
      {wellNames.status === 'idle' && (
        <Empty action={<Button onPress={() => void actions.loadWells()}>{w.look}</Button>}>
          {w.notLooked}
        </Empty>
      )}
      {wellNames.status === 'loaded' && <WellNameTable columns={wellNames.value} />}
    </Section>
  );
}

function WellNameTable({ columns }: { columns: readonly WellColumn[] }) {
  const choices = useTabState('upload', (state) => state.choices);
  const [all, setAll] = useState(false);
  const names = useMemo(() => namesToResolve(columns, choices), [columns, choices]);
  const ambiguous = names.filter((name) => name.isAmbiguous);
  const left = ambiguous.filter(({ assetId }) => assetId === null).length;
  const shown = all ? names : ambiguous.slice(0, initialRows);
  return (
    <>
      <Status className={left > 0 ? 'tone-error' : 'quiet'}>
        {left > 0 ? w.left(left, names.length) : w.allKnown(names.length)}
      </Status>
      {shown.length > 0 && (
        <ul className="stack gap-0">
          {shown.map((name) => (
            <NameRow key={`${name.column} ${name.value}`} name={name} />
          ))}
        </ul>
      )}
      {!all && shown.length < names.length && (
        <Button variant="quiet" className="self-start" onPress={() => setAll(true)}>
          {w.showAll(names.length)}
        </Button>
      )}
    </>
  );
}

function NameRow({ name }: { name: NameToResolve }) {
  const { actions } = useTab('upload');
  const { column, value, line, assetId, found: outcome, isAmbiguous } = name;
  const isOpen = isAmbiguous && assetId === null;
  const listed = useSessionState('wells', listedWells);
  const needsLikely = isOpen && name.candidates.length === 0;
  const likely = useMemo(
    () => (needsLikely ? similarWells(listed.wells, value) : []),
    [needsLikely, listed, value],
  );
  const suggestions = isOpen ? suggestionsFor(name, likely) : [];
  const places = useTabState('upload', placeKind);
  const settle = (id: number | null) => actions.assignWell(column, value, id);
  const isKnown = assetId !== null;
  const Icon = isKnown ? CircleCheck : CircleAlert;
  return (
    <li className="upload-well gap-2 items-start" aria-label={value}>
      <span className="row gap-0 state" data-state={isKnown ? 'known' : 'open'}>
        <Icon size={16} aria-hidden />
      </span>
      <span className="upload-well-name pad-y-1 line">
        <strong>{value}</strong>
        <span className="quiet numbers">{uploadWords.inLine(line, places)}</span>
      </span>
      <WellBox
        label={w.matchFor(value)}
        assetId={assetId === null ? '' : String(assetId)}
        onChoose={(text) => settle(/^\d{1,15}$/.test(text) ? Number(text) : null)}
      />
      <span className="row wrap">
        {!isKnown && <span className="quiet">{w.found[outcome]}</span>}
        {suggestions.map((offer) => (
          <Button key={offer.assetId} variant="quiet" onPress={() => settle(offer.assetId)}>
            {w.use(offer.name, offer.note)}
          </Button>
        ))}
        {outcome === 'settled' && (
          <Button variant="quiet" icon={Undo2} onPress={() => settle(null)}>
            {words.undo}
          </Button>
        )}
      </span>
    </li>
  );
}

interface WellSuggestion {
  readonly assetId: number;
  readonly name: string;
  /** Distinguishes it from others of the same name; null: none has. */
  readonly note: string | null;
}

/** Maximum number of wells that are offered where others can be meant. */
const maxSuggestions = 4;

/** The platform's candidates, all of them if one of them must be meant; if there are none, wells with similar names. */
function suggestionsFor(
  { candidates, found: outcome, value }: NameToResolve,
  likely: readonly ScopedWell[],
): WellSuggestion[] {
  const wells = candidates.length > 0 ? candidates : likely;
  const needsNote = isApiNumber(value) || new Set(wells.map(({ name }) => name)).size < wells.length;
  return wells
    .slice(0, outcome === 'several' ? undefined : maxSuggestions)
    .map(({ assetId, name, apiNumber }) => ({
      assetId,
      name,
      note: needsNote ? (apiNumber ?? String(assetId)) : null,
    }));
}

const maxSimilar = 2;

const normalize = (text: string): string => joinedWords(text.toLowerCase().split(/[^\p{L}\p{N}]+/u));

/** The parts of a name: letters and numbers separately, without leading zeros. */
const nameParts = (text: string): Set<string> =>
  new Set((text.toLowerCase().match(/\p{L}+|\p{N}+/gu) ?? []).map((piece) => piece.replace(/^0+(?=\d)/, '')));

/** The similarity of a name and a well's name, from 0 to 1. Below 0.5 they are different. */
function similarity(name: string, well: string): number {
  if (normalize(name) === normalize(well)) return 1;
  const a = nameParts(name);
  const b = nameParts(well);
  // A different number, or a different letter on the pad, means a different well, even if the names are similar.
  const distinctive = [...a].filter((piece) => /\d/.test(piece) || piece.length <= 2);
  if (!distinctive.every((piece) => b.has(piece))) return 0;
  const shared = [...a].filter((piece) => b.has(piece)).length;
  return shared / Math.max(a.size, b.size);
}

/** The wells that a misspelled name could mean, the most similar first. */
export function similarWells(wells: readonly Well[], name: string): ScopedWell[] {
  return wells
    .filter(hasAssetId)
    .map((well) => ({ well, score: similarity(name, well.name) }))
    .filter(({ score }) => score >= 0.5)
    .sort((a, b) => b.score - a.score)
    .slice(0, maxSimilar)
    .map(({ well }) => well);
}

/** Further names are only counted. */
const namesShown = 8;

/** An asset id with the name of its well, if listed. */
export function useWellName(assetId: number | null): string {
  const listed = useSessionState('wells', listedWells);
  const well = assetId === null ? undefined : listed.well('assetId', assetId);
  if (assetId === null) return '';
  return well ? w.named(well.name, assetId) : w.asset(assetId);
}

export function WellQuestionAlert() {
  const { actions, store } = useTab('upload');
  const question = useWellQuestion();
  const lookup = useTabState('upload', (state) => state.wellNames.status);
  const name = useWellName(question === null || question.kind === 'lookup' ? null : question.well.assetId);
  if (question === null) return null;
  if (question.kind === 'lookup')
    return lookup === 'loading' ? (
      <Loading what={w.looking} onCancel={actions.cancelWells} />
    ) : (
      <Alert tone="warning" actions={<Button onPress={() => void actions.loadWells()}>{w.look}</Button>}>
        {w.notCompared}
      </Alert>
    );
  const { kind, names } = question;
  const otherNames = names.slice(0, namesShown);
  return (
    <Alert
      tone="warning"
      actions={
        <>
          {withFileWells(store.getState()) && (
            <Button variant="primary" onPress={actions.selectFileWells}>
              {w.fileWells}
            </Button>
          )}
          <Button onPress={actions.selectOneWell}>{w.oneWell(name)}</Button>
        </>
      }
    >
      <p>
        {kind === 'constant'
          ? w.otherThanConstant(name, minWells(names))
          : w.otherThanSelected(name, minWells(names))}
      </p>
      <ul className="upload-well-others above-1">
        {otherNames.map((other) => (
          <OtherWell key={`${other.column} ${other.value}`} well={other} />
        ))}
        {names.length > otherNames.length && (
          <li className="quiet">{w.more(names.length - otherNames.length)}</li>
        )}
      </ul>
    </Alert>
  );
}

function OtherWell({ well: { value, line, column, assetId } }: { well: NamedWell }) {
  const name = useWellName(assetId);
  const { preview } = useUploadParts('preview');
  const isFromTable = preview.status === 'loaded' && isConverted(preview.value);
  const isNamedThere = name.startsWith(`${value} (`);
  return (
    <li>
      <strong>{isNamedThere ? name : value}</strong>
      {assetId === null ? ` · ${w.unknown}` : name !== '' && !isNamedThere && ` · ${name}`}
      <span className="quiet numbers"> ({w.namedIn(column, line, placeKind({ preview }), isFromTable)})</span>
    </li>
  );
}
