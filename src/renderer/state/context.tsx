import { createContext, use, type Context, type ReactNode } from 'react';
import { useStore } from 'zustand';
import type { StoreApi } from 'zustand/vanilla';

/** A feature as its components see it: a store to select from, and what a person can do. */
export interface Feature<State, Actions> {
  readonly store: StoreApi<State>;
  readonly actions: Actions;
}

/** A place in the component tree from which components take a feature; `of` names it in the error of a missing one. */
export function featureContext<State, Actions>(of: string) {
  const context: Context<Feature<State, Actions> | null> = createContext<Feature<State, Actions> | null>(
    null,
  );

  function useFeature(): Feature<State, Actions> {
    const feature = use(context);
    if (!feature) throw new Error(`the feature ${of} is not provided here`);
    return feature;
  }

  return {
    Provide: ({ feature, children }: { feature: Feature<State, Actions>; children: ReactNode }) => (
      <context.Provider value={feature}>{children}</context.Provider>
    ),
    /** What a component needs of the state; it renders again when that changes. */
    useState: <Part,>(select: (state: State) => Part): Part => useStore(useFeature().store, select),
    useActions: (): Actions => useFeature().actions,
  };
}
