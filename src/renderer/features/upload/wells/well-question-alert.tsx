import type { NamedWell } from '../../../../shared/upload/wells.ts';
import { Alert } from '../../../ui/alert.tsx';
import { Button } from '../../../ui/button.tsx';
import { Loading } from '../../../ui/view-states.tsx';
import { words } from '../../../words/words.ts';
import { listedWells } from '../../wells/wells-state.ts';
import { useWellQuestion } from '../use-progress.ts';
import { useSessionState, useTab, useTabState } from '../../../state/contexts.ts';
import { withFileWells } from './well-question.ts';

const w = words.upload.wells;
/** More names than these are counted. */
const namesShown = 8;

/** An asset id with the name of its well, where that is listed. */
export function useWellName(assetId: number | null): string {
  const listed = useSessionState('wells', listedWells);
  const well = assetId === null ? undefined : listed.well('assetId', assetId);
  if (assetId === null) return '';
  return well ? w.named(well.name, assetId) : w.asset(assetId);
}

/** Asks which wells the rows belong to, where the file names others than the one that they would be stored under. */
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
      <Alert tone="warning" actions={<Button onPress={() => void actions.lookForWells()}>{w.look}</Button>}>
        {w.notCompared}
      </Alert>
    );
  const { kind, names } = question;
  const others = names.slice(0, namesShown);
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
          ? w.otherThanConstant(name, names.length)
          : w.otherThanSelected(name, names.length)}
      </p>
      <ul className="upload-well-others">
        {others.map((other) => (
          <OtherWell key={`${other.column} ${other.value}`} well={other} />
        ))}
        {names.length > others.length && <li className="quiet">{w.more(names.length - others.length)}</li>}
      </ul>
    </Alert>
  );
}

function OtherWell({ well: { value, line, column, assetId } }: { well: NamedWell }) {
  const name = useWellName(assetId);
  const isNamedThere = name.startsWith(`${value} (`);
  return (
    <li>
      <strong>{isNamedThere ? name : value}</strong>
      {assetId === null ? ` · ${w.unknown}` : name !== '' && !isNamedThere && ` · ${name}`}
      <span className="quiet numbers"> ({w.namedIn(column, line)})</span>
    </li>
  );
}
