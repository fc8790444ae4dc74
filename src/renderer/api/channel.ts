import type { Link } from './api.ts';

/** An open connection to the application. */
export interface Channel {
  readonly link: Link;
  readonly open: boolean;
  /** Settles when either side closes the channel; never rejects. */
  readonly whenClosed: Promise<void>;
  readonly close: () => void;
}

/** Opens a channel. Rejects if the application is unreachable. */
export type OpenChannel = () => Promise<Channel>;
