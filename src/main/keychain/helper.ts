import { keychainOver } from './entries.ts';
import type { Keychain } from './keychain.ts';
import { isRequest, type Reply, type Request } from './messages.ts';
import { nativeEntries } from './native.ts';
import { troubleIn } from './trouble.ts';

// The keychain in a process of its own. A keychain that asks the person waits as long as they do; in the core such a
// call takes a thread of the few that read files, holds up the end of the process, and can't be taken back. A process
// can be killed.
const keychain = keychainOver(nativeEntries);

const calls: { readonly [C in keyof Keychain]: (request: Request) => Promise<Reply['value']> } = {
  getPassword: ({ service, account }) => keychain.getPassword(service, account),
  setPassword: ({ service, account, password }) =>
    keychain.setPassword(service, account, password).then(() => null),
  deletePassword: ({ service, account }) => keychain.deletePassword(service, account),
  findCredentials: ({ service }) => keychain.findCredentials(service),
};

/** The way to the core: Node's own, or that of a utility process of Electron. */
interface ParentPort {
  on(event: 'message', listener: (event: { readonly data: unknown }) => void): void;
  postMessage(message: unknown): void;
}
const { parentPort } = process as NodeJS.Process & { readonly parentPort?: ParentPort };

const reply = (answer: Reply): void =>
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a process has no origin
  parentPort ? parentPort.postMessage(answer) : void process.send?.(answer);

function onMessage(message: unknown): void {
  if (!isRequest(message)) return;
  const { id } = message;
  calls[message.call](message).then(
    (value) => reply({ id, value, trouble: null }),
    (error: unknown) => reply({ id, value: null, trouble: troubleIn(error) }),
  );
}
if (parentPort) parentPort.on('message', ({ data }) => onMessage(data));
else process.on('message', onMessage);

// Whoever started this is gone. An ordinary end would wait for calls that still run.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
