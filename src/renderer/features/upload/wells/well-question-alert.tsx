import { minWells, type NamedWell } from '../../../../shared/upload/wells.ts';
import { Alert } from '../../../ui/alert.tsx';
import { Button } from '../../../ui/button.tsx';
import { Loading } from '../../../ui/view-states.tsx';
import { uploadWords } from '../../../words/upload.ts';
import { listedWells } from '../../wells/wells-state.ts';
import { useWellQuestion } from '../use-progress.ts';
import { useSessionState, useTab, useTabState } from '../../../contexts.ts';
import { isConverted, placeKind } from '../upload-state.ts';
import { withFileWells } from './file-wells.ts';

const w = uploadWords.wells;
/** Further names are only counted. */
const namesShown = 8;

/** An asset id with the name of its well, if listed. */
export function useWellName(assetId: number | null): string {
  const listed = useSessionState('wells', listedWells);
  const well = assetId === null ? undefined : listed.well('assetId', assetId);
  if (assetId === null) return '';
  return well ? w.named(well.name, assetId) : w.asset(assetId);
}

/** Asks which wells apply if the file names others than the constant or selected well. */
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
  const places = useTabState('upload', placeKind);
  const isFromTable = useTabState(
    'upload',
    ({ preview }) => preview.status === 'loaded' && isConverted(preview.value),
  );
  const isNamedThere = name.startsWith(`${value} (`);
  return (
    <li>
      <strong>{isNamedThere ? name : value}</strong>
      {assetId === null ? ` · ${w.unknown}` : name !== '' && !isNamedThere && ` · ${name}`}
      <span className="quiet numbers"> ({w.namedIn(column, line, places, isFromTable)})</span>
    </li>
  );
}
