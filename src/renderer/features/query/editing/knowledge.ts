import { useEffect, useMemo } from 'react';
import type { KnownWell } from '../../../../shared/language/knowledge.ts';
import { useSession, useSessionState, useTab, useTabState } from '../../../state/contexts.ts';
import { scopeOf } from '../../wells/scope.ts';
import { listedWells } from '../../wells/wells-state.ts';
import type { EditorKnowledge } from './language.ts';
import { addressOf, type Learnt } from './learnt.ts';
import { mentionedWells } from './mentions.ts';

const nothing: Learnt = { indexes: [], fields: [] };

/** What is known where the texts of a tab are typed. The same object as long as nothing in it has changed. */
export function useKnowledge(): EditorKnowledge {
  const { dataset, values } = useTab('query');
  const { learnt } = useSession();
  const listed = useSessionState('wells', listedWells);
  const chosen = useSessionState('wells', (state) => state.selected);
  const answers = useTabState('query', (state) => state.text.answers);
  useEffect(() => void learnt.actions.learn(dataset, scopeOf(chosen)), [learnt, dataset, chosen]);
  const { indexes, fields } =
    useSessionState('learnt', (state) => state.known[addressOf(dataset)]) ?? nothing;
  return useMemo(() => {
    const { wells, company, zone } = values();
    return {
      fixed: {
        type: dataset.type,
        indexes,
        fields,
        wells: chosen.map(known),
        values: { wells, company, zone, asked: new Map(Object.entries(answers)) },
      },
      wellsIn: (mentions) => mentionedWells(listed, mentions).map(known),
    };
  }, [dataset, values, indexes, fields, listed, chosen, answers]);
}

const known = ({ name, assetId, platformId }: KnownWell): KnownWell => ({ name, assetId, platformId });
