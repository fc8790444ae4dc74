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

process.on('message', (message: unknown) => {
  if (!isRequest(message)) return;
  const { id } = message;
  const reply = (answer: Reply): void => void process.send?.(answer);
  calls[message.call](message).then(
    (value) => reply({ id, value, trouble: null }),
    (error: unknown) => reply({ id, value: null, trouble: troubleIn(error) }),
  );
});

// Whoever started this is gone. An ordinary end would wait for calls that still run.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
