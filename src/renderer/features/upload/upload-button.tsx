import { Upload } from 'lucide-react';
import { words } from '../../words/words.ts';
import { WriteButton } from '../connections/write-button.tsx';
import { useSession } from '../../contexts.ts';

export function UploadButton() {
  const uploads = useSession().uploads;
  return (
    <WriteButton icon={Upload} data-tour="upload" onPress={() => uploads.open()}>
      {words.upload.button}
    </WriteButton>
  );
}
