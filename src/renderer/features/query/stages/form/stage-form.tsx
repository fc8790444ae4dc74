import { words } from '../../../../words/words.ts';
import { DraftField } from './draft-field.tsx';
import { entriesOf } from './entries.ts';
import { GroupRows } from './group-rows.tsx';
import { MatchRows } from './match-rows.tsx';
import { ProjectRows } from './project-rows.tsx';
import { SortRows } from './sort-rows.tsx';

const { form } = words.stages;

/** The stages that there is a form for. */
export const stagesWithForm: ReadonlySet<string> = new Set([
  '$match',
  '$sort',
  '$limit',
  '$group',
  '$project',
]);

export interface StageFormProps {
  readonly operator: string;
  /** What stands behind the operator. */
  readonly body: string;
  readonly onChange: (body: string) => void;
}

/** A stage as a form: each change changes these characters of its text, and no other. */
export function StageForm({ operator, body, onChange }: StageFormProps) {
  if (operator === '$limit')
    return (
      <div className="stage-rows">
        <label className="stage-row">
          <span className="field-label">{form.limit}</span>
          <DraftField
            label={form.limit}
            name="limit"
            value={body}
            judge={(text) => (/^\s*[1-9]\d*\s*$/.test(text) ? null : form.limitBad)}
            onTake={onChange}
            numeric
          />
        </label>
      </div>
    );
  const entries = entriesOf(body);
  if (!entries) return <p className="scope-note">{words.stages.formCant}</p>;
  const rows = { body, entries, onChange };
  if (operator === '$sort') return <SortRows {...rows} />;
  if (operator === '$group') return <GroupRows {...rows} />;
  return operator === '$project' ? <ProjectRows {...rows} /> : <MatchRows {...rows} />;
}
