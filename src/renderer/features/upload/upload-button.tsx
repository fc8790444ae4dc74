import { Upload } from 'lucide-react';
import type { Dataset } from '../../../shared/datasets.ts';
import { Button } from '../../ui/button.tsx';
import { words } from '../../words/words.ts';
import { addressInWords } from '../datasets/search.ts';
import { useUploads } from './context.ts';

/** Opens an upload. */
export function UploadButton() {
  const uploads = useUploads();
  return (
    <Button variant="quiet" icon={Upload} onPress={() => uploads.open()}>
      {words.upload.button}
    </Button>
  );
}

/** Opens an upload into a dataset, from where the dataset is listed. */
export function UploadInto({ dataset }: { dataset: Dataset }) {
  const uploads = useUploads();
  return (
    <Button
      variant="quiet"
      className="pick-more"
      icon={Upload}
      aria-label={words.upload.openInto(addressInWords(dataset))}
      onPress={() => uploads.open(dataset)}
    />
  );
}
