import { Download, Upload } from 'lucide-react';
import { FileTrigger } from 'react-aria-components/FileTrigger';
import type { Task } from '../state/latest-task.ts';
import { Button } from './button.tsx';

type FileTask<Input> = Pick<Task<Input, unknown>, 'isRunning' | 'start' | 'reset'>;

interface ImportExportProps {
  readonly importing: FileTask<File>;
  readonly exporting: FileTask<void>;
  readonly canExport: boolean;
  readonly importLabel: string;
  readonly exportLabel: string;
}

/** Each button clears the report of the other. */
export function ImportExport(props: ImportExportProps) {
  const { importing, exporting, canExport, importLabel, exportLabel } = props;
  return (
    <>
      <FileTrigger
        acceptedFileTypes={['.json', 'application/json']}
        onSelect={(picked) => {
          const file = picked?.item(0);
          exporting.reset();
          if (file) void importing.start(file);
        }}
      >
        <Button variant="quiet" icon={Upload} isPending={importing.isRunning}>
          {importLabel}
        </Button>
      </FileTrigger>
      {canExport && (
        <Button
          variant="quiet"
          icon={Download}
          isPending={exporting.isRunning}
          onPress={() => {
            importing.reset();
            void exporting.start();
          }}
        >
          {exportLabel}
        </Button>
      )}
    </>
  );
}
