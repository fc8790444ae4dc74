import { Upload } from 'lucide-react';
import { words } from '../../words/words.ts';
import { WriteButton } from '../connections/write-button.tsx';
import { useSession } from '../../contexts.ts';
import { openUpload } from './open-upload.ts';

export function UploadButton() {
  const session = useSession();
  return (
    <WriteButton icon={Upload} data-tour="upload" onPress={() => openUpload(session)}>
      {words.upload.button}
    </WriteButton>
  );
}
