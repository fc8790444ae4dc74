import { Check } from 'lucide-react';
import { useTask } from '../state/latest-task.ts';
import { Button, type ButtonProps, type Icon } from './button.tsx';
import { copyText } from './clipboard.ts';
import { Status } from './status.tsx';
import { Failed } from './view-states.tsx';

interface CopyReportProps extends Pick<ButtonProps, 'variant' | 'children'> {
  readonly icon: Icon;
  /** The text that is shown after copying. */
  readonly copied: string;
  /** The label of the text, where the user has to copy it. */
  readonly label: string;
  readonly text: () => string | Promise<string>;
}

/** Without access to the clipboard, it shows the text to copy. */
export function CopyReport({ icon, copied, label, text, ...button }: CopyReportProps) {
  const copying = useTask(async (read: CopyReportProps['text']) => {
    const report = await read();
    return { report, isCopied: await copyText(report) };
  });
  const { report, isCopied = false } = copying.value ?? {};
  return (
    <>
      <Button {...button} icon={isCopied ? Check : icon} onPress={() => void copying.start(text)} />
      <Status className="quiet">{isCopied ? copied : ''}</Status>
      {report !== undefined && !isCopied && (
        <textarea className="report" aria-label={label} readOnly rows={8} value={report} />
      )}
      {copying.error && <Failed error={copying.error} />}
    </>
  );
}
