import { useMemo } from 'react';
import type { KnownWell } from '../../../../shared/language/knowledge.ts';
import { useApp, useAppState, useSession, useSessionState, useTab, useTabState } from '../../../contexts.ts';
import { listedWells } from '../../wells/wells-state.ts';
import type { EditorKnowledge } from './language.ts';
import { addressOf } from '../../../../shared/datasets/datasets.ts';
import type { DatasetField } from '../../../../shared/datasets/fields.ts';
import { useFields } from '../../datasets/field-catalogue.ts';
import { useRenamedFields } from '../../datasets/use-field-names.ts';
import { wellIdsOf } from '../../datasets/well-ids.ts';
import { valueOr } from '../../../state/loadable.ts';
import { useResource } from '../../../state/resource.ts';
import { mentionedWells } from './mentions.ts';
import { useSynonyms } from '../../settings/use-synonyms.ts';
import { useTabWells } from '../../tabs/use-tab-wells.ts';

const noFields: readonly DatasetField[] = [];

/** What the editors of a tab know. The same object until something changes. */
export function useKnowledge(): EditorKnowledge {
  const { dataset, values } = useTab('query');
  const { datasets, connection } = useSession();
  const listed = useSessionState('wells', listedWells);
  const selected = useTabWells();
  const synonyms = useSynonyms();
  const renamed = useRenamedFields(dataset);
  const answers = useTabState('query', (state) => state.text.answers);
  const sampled = useMemo(() => wellIdsOf(selected), [selected]);
  const key = useMemo(() => ({ connection, ...addressOf(dataset) }), [connection, dataset]);
  // The list of datasets may leave the indexes out. Typing works without them.
  const definition = useResource(datasets.definitions, dataset.indexes.length > 0 ? null : key);
  const { indexes } = valueOr(definition, dataset);
  // Until those of the selected wells are there, those of any.
  const catalogue = useApp().fields;
  const ofAny = useAppState('fields', (answers) =>
    valueOr(catalogue.of(answers, { connection, address: dataset }), null),
  );
  const { fields = noFields } = useFields(dataset, sampled) ?? ofAny ?? {};
  return useMemo(() => {
    const { wells, company, zone } = values();
    return {
      base: {
        type: dataset.type,
        indexes,
        fields,
        synonyms,
        renamed,
        wells: selected.map(toKnownWell),
        values: { wells, company, zone, answers: new Map(Object.entries(answers)) },
      },
      findWells: (mentions) => mentionedWells(listed, mentions).map(toKnownWell),
    };
  }, [dataset, values, indexes, fields, listed, selected, answers, synonyms, renamed]);
}

const toKnownWell = ({ name, assetId, platformId }: KnownWell): KnownWell => ({ name, assetId, platformId });
