import type { Link } from './api.ts';

/** One open way to the application, until it closes. */
export interface Channel {
  readonly link: Link;
  readonly open: boolean;
  /** Settles when the way is closed from either side; never rejects. */
  readonly closed: Promise<void>;
  readonly close: () => void;
}

/** Opens a way to the application. Rejects when there is none now. */
export type OpenChannel = () => Promise<Channel>;
