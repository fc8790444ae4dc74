import { Upload } from 'lucide-react';
import { useId } from 'react';
import type { Dataset } from '../../../shared/datasets.ts';
import { Button, type ButtonProps } from '../../ui/button.tsx';
import { words } from '../../words/words.ts';
import { useConnections } from '../connections/context.ts';
import { addressInWords } from '../datasets/search.ts';
import { useUploads } from './context.ts';

/** Opens an upload. */
export function UploadButton() {
  const uploads = useUploads();
  return <WritingButton onPress={() => uploads.open()}>{words.upload.button}</WritingButton>;
}

/** Opens an upload into a dataset, from where the dataset is listed. */
export function UploadInto({ dataset }: { dataset: Dataset }) {
  const uploads = useUploads();
  return (
    <WritingButton
      className="pick-more"
      aria-label={words.upload.openInto(addressInWords(dataset))}
      onPress={() => uploads.open(dataset)}
    />
  );
}

/** A button for what a read-only connection does not allow: disabled there, with the reason. */
function WritingButton(props: ButtonProps) {
  const id = useId();
  const isReadOnly = useConnections(({ current }) => current?.readOnly === true);
  if (!isReadOnly) return <Button {...props} variant="quiet" icon={Upload} />;
  return (
    <span className="disabled-with-reason" title={words.upload.drop.readOnly}>
      <Button {...props} variant="quiet" icon={Upload} isDisabled aria-describedby={id} />
      <span id={id} className="visually-hidden">
        {words.upload.drop.readOnly}
      </span>
    </span>
  );
}
