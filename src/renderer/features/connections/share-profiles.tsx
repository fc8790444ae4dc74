import { Download, Upload } from 'lucide-react';
import { FileTrigger } from 'react-aria-components/FileTrigger';
import { useTask } from '../../state/use-task.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { Status } from '../../ui/status.tsx';
import { useApp } from '../../state/contexts.ts';
import { words } from '../../words/words.ts';

const w = words.start;

/** Exports and imports connection profiles, never with credentials. */
export function ShareProfiles({ hasAny }: { hasAny: boolean }) {
  const shares = useApp().shares;
  const exporting = useTask((_: void, signal) => shares.exportAll(signal));
  const importing = useTask(shares.importFile);
  const error = exporting.error ?? importing.error;
  const importedCount = importing.value;
  return (
    <div className="connection-share stack gap-1">
      <div className="row wrap">
        <FileTrigger
          acceptedFileTypes={['.json', 'application/json']}
          onSelect={(picked) => {
            const file = picked?.item(0);
            exporting.reset();
            if (file) void importing.start(file);
          }}
        >
          <Button variant="quiet" icon={Upload} isPending={importing.isRunning}>
            {w.importFile}
          </Button>
        </FileTrigger>
        {hasAny && (
          <Button
            variant="quiet"
            icon={Download}
            isPending={exporting.isRunning}
            onPress={() => {
              importing.reset();
              void exporting.start();
            }}
          >
            {w.exportAll}
          </Button>
        )}
      </div>
      <Status className="quiet">
        {importedCount
          ? w.imported(importedCount.added.length)
          : exporting.value
            ? w.exported(exporting.value)
            : ''}
      </Status>
      {importedCount && importedCount.problems.length > 0 && (
        <Alert tone="warning">
          <ul>
            {importedCount.problems.map((problem) => (
              <li key={problem}>{problem}</li>
            ))}
          </ul>
        </Alert>
      )}
      {error && <Alert tone="error">{error.message}</Alert>}
    </div>
  );
}
