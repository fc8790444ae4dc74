import { once } from '../../once.ts';

/** What is used of the library for updates. */
export interface Updater {
  /** The version that is newer than this one; null: there is none. */
  look(): Promise<string | null>;
  /** Fetches what was found, checks it, and has it installed when the application quits. */
  fetch(): Promise<void>;
}

export interface UpdatesOptions {
  readonly load: () => Promise<Updater>;
  readonly isOnline: () => boolean;
  /** Asks the person whether to fetch a version. */
  readonly ask: (version: string) => Promise<boolean>;
  /** Tells the person something that they need not answer. */
  readonly tell: (title: string, body: string) => void;
  readonly log: (sentence: string) => void;
}

export interface Updates {
  /** Looks by itself: says nothing unless there is something new that was not declined before. */
  look(): Promise<void>;
  /** Looks because the person asked for it: says what came of it in any case. */
  lookForPerson(): Promise<void>;
}

/**
 * Looks for updates, and fetches one when the person says so. It is installed when they quit, so that no job is ended
 * for it. One look at a time; what goes wrong is logged, and told to who asked.
 */
export function createUpdates({ load, isOnline, ask, tell, log }: UpdatesOptions): Updates {
  const updater = once(load);
  let underWay: Promise<void> | null = null;
  let ready: string | null = null;
  const declined = new Set<string>();

  async function lookOnce(asked: boolean): Promise<void> {
    const say = (title: string, body: string): void => {
      if (asked) tell(title, body);
    };
    if (ready !== null) return say(...fetched(ready));
    if (!isOnline()) return say('There is no network', 'Look for updates again when there is one.');
    try {
      const { look, fetch } = await updater();
      const version = await look();
      if (version === null) return say('Wellbench is up to date', 'There is no newer version.');
      if (!asked && declined.has(version)) return;
      if (!(await ask(version))) return void declined.add(version);
      tell(
        `Wellbench ${version} is being fetched`,
        'Go on with your work: you will be told when it is there.',
      );
      await fetch();
      ready = version;
      tell(...fetched(version));
    } catch (error) {
      log(`Updates could not be looked for or fetched: ${String(error)}`);
      say(
        'No update',
        'The place of updates can’t be reached, or what it holds is damaged. Try again later.',
      );
    }
  }
  const fetched = (version: string): [string, string] => [
    `Wellbench ${version} is there`,
    'It is installed when you quit Wellbench.',
  ];
  const look = (asked: boolean): Promise<void> => {
    underWay ??= lookOnce(asked).finally(() => {
      underWay = null;
    });
    return underWay;
  };
  return { look: () => look(false), lookForPerson: () => look(true) };
}
