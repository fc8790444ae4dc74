import { useTask } from '../../state/use-task.ts';
import { Alert } from '../../ui/alert.tsx';
import { ImportExport } from '../../ui/import-export.tsx';
import { Status } from '../../ui/status.tsx';
import { useApp } from '../../contexts.ts';
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
      <div className="connection-share-actions row wrap">
        <ImportExport
          importing={importing}
          exporting={exporting}
          canExport={hasAny}
          importLabel={w.importFile}
          exportLabel={w.exportAll}
        />
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
