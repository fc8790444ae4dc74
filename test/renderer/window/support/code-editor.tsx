import { useEffect, useId, useRef } from 'react';
import type { CodeEditorProps } from '../../../../src/renderer/ui/editor/code-editor.tsx';

/** A plain field that replaces the query editor, which needs a layout: its marks are a list of messages. */
export default function CodeEditor({
  label,
  value,
  onChange,
  onRun,
  marks,
  describedBy,
  ...more
}: CodeEditorProps) {
  const wrong = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const { takesFocus = false, onFocusTaken } = more;
  useEffect(() => {
    if (!takesFocus) return;
    field.current?.focus();
    onFocusTaken?.();
  }, [takesFocus, onFocusTaken]);
  return (
    <div className="code-editor">
      <textarea
        ref={field}
        aria-label={label}
        aria-describedby={describedBy}
        aria-invalid={marks.length > 0}
        aria-errormessage={wrong}
        value={value}
        onChange={({ target }) => onChange(target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && event.ctrlKey) onRun();
        }}
      />
      <ul id={wrong} aria-live="polite">
        {marks.map((mark) => (
          <li key={mark.message}>{mark.message}</li>
        ))}
      </ul>
    </div>
  );
}
