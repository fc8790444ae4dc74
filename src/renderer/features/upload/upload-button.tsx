import { Upload } from 'lucide-react';
import { words } from '../../words/words.ts';
import { WriteButton } from '../connections/write-button.tsx';
import { useUploads } from './context.ts';

/** Opens an upload. */
export function UploadButton() {
  const uploads = useUploads();
  return (
    <WriteButton icon={Upload} onPress={() => uploads.open()}>
      {words.upload.button}
    </WriteButton>
  );
}
