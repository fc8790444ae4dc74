import { Radio } from 'lucide-react';
import type { Dataset } from '../../../shared/datasets.ts';
import { Button } from '../../ui/button.tsx';
import { words } from '../../words/words.ts';
import type { Asked } from '../results/asked.ts';
import { useOpenLive } from './context.ts';
import { liveFieldOf } from './live-field.ts';

/** Follows what was asked in a tab of its own; not there where newer records can't be told. */
export function FollowButton({ dataset, asked }: { dataset: Dataset; asked: Asked }) {
  const open = useOpenLive();
  if (asked.kind !== 'find' || liveFieldOf(dataset) === null) return null;
  return (
    <Button variant="quiet" icon={Radio} onPress={() => open(dataset, asked.request)}>
      {words.live.follow}
    </Button>
  );
}
