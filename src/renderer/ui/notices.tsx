import { ChevronDown, ChevronUp } from 'lucide-react';
import {
  createContext,
  use,
  useCallback,
  useId,
  useLayoutEffect,
  useMemo,
  useState,
  type ReactNode,
} from 'react';
import { createPortal } from 'react-dom';
import { words } from '../words/words.ts';
import { Alert, type AlertProps } from './alert.tsx';
import { Button } from './button.tsx';

interface RankedNotice {
  readonly id: string;
  readonly rank: number;
}

interface NoticesOfTab {
  /** Where notices are drawn; null: not yet. */
  readonly list: HTMLElement | null;
  readonly setList: (list: HTMLElement | null) => void;
  /** The ids, the most important first. */
  readonly order: readonly string[];
  /** Returns a function that removes the notice. */
  readonly add: (notice: RankedNotice) => () => void;
  readonly isOpen: boolean;
  readonly setOpen: (isOpen: boolean) => void;
}

const NoticesContext = createContext<NoticesOfTab | null>(null);

/** Collects the notices of a tab for one {@link NoticeLine} in it. */
export function NoticesOfTab({ children }: { children: ReactNode }) {
  const [list, setList] = useState<HTMLElement | null>(null);
  const [notices, setNotices] = useState<readonly RankedNotice[]>([]);
  const [isOpen, setOpen] = useState(false);
  const add = useCallback((notice: RankedNotice) => {
    setNotices((added) => [...added, notice]);
    return () => setNotices((added) => added.filter((other) => other !== notice));
  }, []);
  const order = useMemo(() => notices.toSorted((a, b) => a.rank - b.rank).map(({ id }) => id), [notices]);
  const value = useMemo(() => ({ list, setList, order, add, isOpen, setOpen }), [list, order, add, isOpen]);
  return <NoticesContext value={value}>{children}</NoticesContext>;
}

/** The most important notice of a tab, and a counter that opens the list of all. */
export function NoticeLine() {
  const notices = use(NoticesContext);
  if (!notices) return null;
  const { setList, order, isOpen, setOpen } = notices;
  return (
    <div className="notices">
      <div ref={setList} className="stack gap-0 grow" />
      {order.length > 1 && (
        <Button
          variant="quiet"
          size="small"
          icon={isOpen ? ChevronUp : ChevronDown}
          aria-expanded={isOpen}
          onPress={() => setOpen(!isOpen)}
        >
          {words.notices(order.length)}
        </Button>
      )}
    </div>
  );
}

export interface NoticeProps extends Omit<AlertProps, 'isStrip' | 'isFolded'> {
  /** Whether the result in view may not be the requested one: only errors come before it. */
  readonly isAboutResult?: boolean;
}

const ranks = { error: 0, result: 1, warning: 2, info: 3 };

/** A message in the line of its tab, or in place if the tab has none. Folded ones stay for screen readers. */
export function Notice({ isAboutResult = false, ...alert }: NoticeProps) {
  const notices = use(NoticesContext);
  const id = useId();
  const rank = ranks[isAboutResult && alert.tone !== 'error' ? 'result' : alert.tone];
  const add = notices?.add;
  useLayoutEffect(() => add?.({ id, rank }), [add, id, rank]);
  if (!notices) return <Alert isStrip {...alert} />;
  const { list, order, isOpen } = notices;
  const at = order.indexOf(id);
  if (!list || at < 0) return null;
  return createPortal(
    <div className="notice" style={{ order: at }}>
      <Alert isStrip isFolded={at > 0 && !isOpen} {...alert} />
    </div>,
    list,
  );
}
