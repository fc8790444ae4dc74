/** Remembers, for this window alone, which connection it shows, so that a reload comes back to it. */
export interface LastConnection {
  readonly recall: () => string | null;
  readonly remember: (id: string) => void;
  readonly forget: () => void;
}

const key = 'wellbench.connection';

/** Kept in the session storage of the window: the id only, never a secret. */
export function lastConnectionIn(
  storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>,
): LastConnection {
  return {
    recall: () => storage.getItem(key),
    remember: (id) => storage.setItem(key, id),
    forget: () => storage.removeItem(key),
  };
}
