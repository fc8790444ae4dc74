import { useState } from 'react';
import { Form } from 'react-aria-components/Form';
import type { ConnectionCheck } from '../../../shared/connections.ts';
import type { AppError } from '../../../shared/errors.ts';
import { issuesOf, problemsByField, type Problems } from '../../state/problems.ts';
import { useTask } from '../../state/use-task.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { words } from '../../words/words.ts';
import { CheckResult } from './check-result.tsx';
import { useConnectionsActions } from './context.ts';
import { draftField, draftFrom, emptyDraft, type DraftField, type DraftInputs } from './draft.ts';

/** Asks for a new connection; tries it out, or opens it. */
export function ConnectionForm() {
  const { add, test } = useConnectionsActions();
  const [inputs, setInputs] = useState<DraftInputs>(emptyDraft);
  const [problems, setProblems] = useState<Problems<DraftField>>({});
  const adding = useTask(add);
  const testing = useTask(test);

  const type = (field: DraftField) => (text: string) => {
    setInputs({ ...inputs, [field]: text });
    setProblems({ ...problems, [field]: undefined });
    testing.reset();
  };
  const send = (task: typeof adding | typeof testing) => {
    const made = draftFrom(inputs);
    setProblems(made.ok ? {} : made.problems);
    adding.reset();
    testing.reset();
    if (made.ok) void task.start(made.draft);
  };
  const error = adding.error ?? testing.error;
  const shown: Problems<DraftField> = { ...fieldProblems(error), ...defined(problems) };
  const field = (name: DraftField) => ({
    name,
    value: inputs[name],
    onChange: type(name),
    problem: shown[name]?.message,
  });

  return (
    <Form
      className="connection-form"
      onSubmit={(event) => {
        event.preventDefault();
        send(adding);
      }}
    >
      <TextField
        {...field('name')}
        label={words.connection.name}
        placeholder={words.connection.namePlaceholder}
      />
      <TextField
        {...field('dataUrl')}
        label={words.connection.dataUrl}
        placeholder={words.connection.dataUrlPlaceholder}
        inputMode="url"
      />
      <TextField
        {...field('platformUrl')}
        label={words.connection.platformUrl}
        placeholder={words.connection.platformUrlPlaceholder}
        inputMode="url"
      />
      <TextField
        {...field('apiKey')}
        label={words.connection.apiKey}
        type="password"
        note={words.connection.apiKeyNote}
      />
      <Outcome check={testing.value} error={error} />
      <div className="form-buttons">
        <Button type="submit" isPending={adding.running}>
          {adding.running ? words.connection.connecting : words.connection.connect}
        </Button>
        <Button variant="quiet" onPress={() => send(testing)} isPending={testing.running}>
          {testing.running ? words.connection.testing : words.connection.test}
        </Button>
      </div>
    </Form>
  );
}

function Outcome({ check, error }: { check: ConnectionCheck | null; error: AppError | null }) {
  if (check) return <CheckResult check={check} />;
  if (!error) return null;
  const { left } = problemsByField(issuesOf(error), draftField);
  // What belongs to a field stands there.
  if (error.is('invalid_input') && left.length === 0) return null;
  return <Alert tone="error">{error.message}</Alert>;
}

function fieldProblems(error: AppError | null): Problems<DraftField> {
  return error ? problemsByField(issuesOf(error), draftField).problems : {};
}

function defined(problems: Problems<DraftField>): Problems<DraftField> {
  return Object.fromEntries(Object.entries(problems).filter(([, problem]) => problem !== undefined));
}
