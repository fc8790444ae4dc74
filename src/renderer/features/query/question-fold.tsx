import { ChevronDown, ChevronRight } from 'lucide-react';
import type { FindText } from '../../../shared/query/question.ts';
import { useApp, useAppState, useTab, useTabState } from '../../contexts.ts';
import { Button } from '../../ui/button.tsx';
import { words } from '../../words/words.ts';
import { readList } from '../../../shared/value-lists.ts';

/** Whether the text of a find, its sort, fields, limit, and skip are open: in all tabs, where the user left them. */
export function useFold(): { readonly isOpen: boolean; readonly setOpen: (isOpen: boolean) => void } {
  const { query } = useApp().settings.actions.places;
  const isOpen = useAppState('settings', (state) => state.stored.remembered?.query === 'open');
  return { isOpen, setOpen: (open) => query.setItem('query', open ? 'open' : 'folded') };
}

/** Whether the question of a tab shows its text: that of a find is folded, unless the user opened it or it has a problem. */
export function useIsTextShown(): boolean {
  const { isOpen } = useFold();
  return useTabState('query', ({ text, revealsText }) => text.mode !== 'find' || isOpen || revealsText);
}

/** Opens and folds the text of a find, and says what a folded one has besides its conditions. */
export function FoldButton({ text }: { text: FindText }) {
  const { actions } = useTab('query');
  const { setOpen } = useFold();
  const isShown = useIsTextShown();
  const { fold, folded } = words.query;
  const { limit } = actions.initialFind();
  const fields = readList(text.fields, 'words').length;
  const parts = [
    ...(text.limit.trim() === limit ? [] : [folded.limit(text.limit)]),
    ...(['', '0'].includes(text.skip.trim()) ? [] : [folded.skip(text.skip)]),
    ...(fields === 0 ? [] : [folded.fields(fields)]),
  ];
  return (
    <Button
      variant="quiet"
      className="min-0 push"
      icon={isShown ? ChevronDown : ChevronRight}
      aria-expanded={isShown}
      onPress={() => {
        setOpen(!isShown);
        actions.collapseText();
      }}
    >
      {fold}
      {!isShown && parts.length > 0 && <span className="quiet ellipsis"> {parts.join(' · ')}</span>}
    </Button>
  );
}
