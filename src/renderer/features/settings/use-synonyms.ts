import { useMemo } from 'react';
import { type Synonyms, synonymsOf } from '../../../shared/channels/channels.ts';
import { useAppState } from '../../contexts.ts';

/** The names of channels that the user has added. */
export function useSynonyms(): Synonyms {
  const channelNames = useAppState('settings', (state) => state.stored.channelNames);
  return useMemo(() => synonymsOf(channelNames), [channelNames]);
}
