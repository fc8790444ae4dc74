import { createElement, type ComponentType, type ReactNode } from 'react';
import type * as z from 'zod';
import type { Dataset } from '../../../shared/datasets/datasets.ts';
import type { TimeView } from '../../../shared/settings/settings.ts';
import type { ScopedWell } from '../../../shared/wells/wells.ts';
import type { Session } from '../../contexts.ts';
import type { TabCommands } from '../commands/command-table.ts';
import { selectedWells, type Tab, type TabsState } from './tabs.ts';

type Frozen<T> = T extends object ? { readonly [Key in keyof T]: Frozen<T[Key]> } : T;
export type StoredForm<Schema extends z.ZodType> = Frozen<z.input<Schema>>;

/** The state of a tab's view. */
export interface TabModel {
  readonly actions: { readonly close: () => void };
}

/** What a kind of tab declares: the tabs of a connection know nothing else of it. */
export interface TabKindFacts<Model extends TabModel, Stored extends z.ZodObject> {
  /** Its name in stored tabs. */
  readonly kind: string;
  /** The stored form: plain data without records or secrets. */
  readonly schema: Stored;
  /** Creates the model of a stored tab. @throws AppError if what it refers to no longer exists */
  readonly restore: (stored: z.output<Stored>, session: Session) => Model | Promise<Model>;
  readonly serialize: (model: Model) => StoredForm<Stored>;
  /** The stores whose changes may change the stored form or the title. */
  readonly stores: (model: Model) => readonly { readonly subscribe: (changed: () => void) => () => void }[];
  /** The commands of a tab; absent: it has none. */
  readonly commands?: (model: Model, tab: Tab, session: Session) => TabCommands;
  /** Loaded with the first tab of its kind. */
  readonly View: ComponentType<{ tab: Model }>;
  /** A part of the tab strip while the tab is active; absent: none. */
  readonly StripPart?: ComponentType<{ tab: Tab; model: Model }>;
  readonly helpPage: string;
  /** A title that changes with the model and the wells of the tab; absent: the one that it was opened with. */
  readonly title?: (model: Model, wells: readonly ScopedWell[]) => string;
  readonly dataset?: (model: Model) => Dataset | null;
  readonly setVisible?: (model: Model, isVisible: boolean) => void;
  /** The user selects other wells for the active tab. */
  readonly onWellsSelected?: (model: Model) => void;
  /** The setting of the time zone changes. */
  readonly showTimes?: (model: Model, times: TimeView) => void;
  /** Whether a stored form has work that the user didn't finish: closing it with others asks. Absent: none has. */
  readonly losesWorkOnClose?: (stored: z.output<Stored>) => boolean;
  /** Whether a stored form does its work while its tab is hidden: it is loaded with its connection. Absent: none does. */
  readonly runsHidden?: (stored: z.output<Stored>) => boolean;
  /** Whether its stored form is still the one that its kind fills in, which may change without the user. */
  readonly isPristine?: (model: Model) => boolean;
  /** Whether closing the page loses work. */
  readonly hasUnsavedWork?: (model: Model) => boolean;
}

/** A model with what its kind declares for it. */
export interface TabContent {
  readonly close: () => void;
  readonly serialize: () => object;
  /** Calls back when the stored form or the title may have changed. Returns a function that stops. */
  readonly watch: (changed: () => void) => () => void;
  readonly commands: (tab: Tab, session: Session) => TabCommands;
  readonly render: () => ReactNode;
  readonly renderStripPart: (tab: Tab) => ReactNode;
  readonly helpPage: string;
  /** Null: the one that the tab was opened with. */
  readonly title: (wells: readonly ScopedWell[]) => string | null;
  readonly dataset: () => Dataset | null;
  readonly setVisible: (isVisible: boolean) => void;
  readonly onWellsSelected: () => void;
  readonly showTimes: (times: TimeView) => void;
  readonly isPristine: () => boolean;
  readonly hasUnsavedWork: () => boolean;
}

type StoredOrLoaded = Pick<Tab, 'kind' | 'content' | 'stored'>;

/** A kind of tab, as its own module uses it. */
export interface TabKind<Model, Form = unknown> {
  readonly kind: string;
  /** The content of a tab, for `tabs.actions.open`. */
  readonly open: (model: Model) => { readonly kind: string; readonly content: TabContent };
  /** @throws AppError if what it refers to no longer exists @throws ZodError if it can't be read */
  readonly restore: (state: unknown, session: Session) => Promise<TabContent>;
  /** The stored form of a tab, loaded or not; null: the tab is of another kind, or its form can't be read. */
  readonly formOf: (tab: StoredOrLoaded) => Form | null;
  /** Whether closing a tab of this kind with others would end work unseen; it needn't be loaded. */
  readonly losesWorkOnClose: (tab: StoredOrLoaded) => boolean;
  /** Whether a tab of this kind, loaded or not, does its work while it is hidden. */
  readonly runsHidden: (tab: StoredOrLoaded) => boolean;
  /** The model of a tab; null: the tab is of another kind, or isn't loaded. */
  readonly of: (tab: Pick<Tab, 'content'> | null) => Model | null;
  /** The tab of a model; null: it isn't open yet. */
  readonly tabOf: (state: Pick<TabsState, 'tabs'>, model: Model | null) => Tab | null;
  /** The wells of a model's tab; before it is open, the selected ones. */
  readonly wellsOf: (state: TabsState, model: Model | null) => readonly ScopedWell[];
}

/** Defines a kind of tab. @returns the kind, to be listed in `app/tab-kinds.ts` */
export function defineTabKind<Model extends TabModel, Stored extends z.ZodObject>(
  facts: TabKindFacts<Model, Stored>,
): TabKind<Model, z.output<Stored>> {
  const models = new WeakMap<TabContent, Model>();
  const { kind, helpPage, View, StripPart } = facts;
  function contentOf(model: Model): TabContent {
    const content: TabContent = {
      helpPage,
      close: model.actions.close,
      serialize: () => facts.serialize(model),
      watch(changed) {
        const stops = facts.stores(model).map(({ subscribe }) => subscribe(changed));
        return () => stops.forEach((stop) => stop());
      },
      commands: (tab, session) => facts.commands?.(model, tab, session) ?? {},
      render: () => createElement(View, { tab: model }),
      renderStripPart: (tab) => StripPart && createElement(StripPart, { tab, model }),
      title: (wells) => facts.title?.(model, wells) ?? null,
      dataset: () => facts.dataset?.(model) ?? null,
      setVisible: (isVisible) => facts.setVisible?.(model, isVisible),
      onWellsSelected: () => facts.onWellsSelected?.(model),
      showTimes: (times) => facts.showTimes?.(model, times),
      isPristine: () => facts.isPristine?.(model) ?? false,
      hasUnsavedWork: () => facts.hasUnsavedWork?.(model) ?? false,
    };
    models.set(content, model);
    return content;
  }
  const of = (tab: Pick<Tab, 'content'> | null): Model | null =>
    (tab?.content && models.get(tab.content)) ?? null;
  const tabOf = ({ tabs }: Pick<TabsState, 'tabs'>, model: Model | null): Tab | null =>
    model && (tabs.find((tab) => of(tab) === model) ?? null);
  const formOf = (tab: StoredOrLoaded): z.output<Stored> | null => {
    if (tab.kind !== kind) return null;
    return facts.schema.safeParse(tab.content ? tab.content.serialize() : tab.stored?.state).data ?? null;
  };
  /** Whether a test of the stored form holds; without a test, it doesn't. */
  const holds = (test: ((form: z.output<Stored>) => boolean) | undefined, tab: StoredOrLoaded): boolean => {
    const form = test ? formOf(tab) : null;
    return form !== null && test?.(form) === true;
  };
  return {
    kind,
    formOf,
    open: (model) => ({ kind, content: contentOf(model) }),
    restore: async (state, session) => contentOf(await facts.restore(facts.schema.parse(state), session)),
    losesWorkOnClose: (tab) => tab.content?.hasUnsavedWork() === true || holds(facts.losesWorkOnClose, tab),
    runsHidden: (tab) => holds(facts.runsHidden, tab),
    of,
    tabOf,
    wellsOf: (state, model) => tabOf(state, model)?.wells ?? selectedWells(state),
  };
}
