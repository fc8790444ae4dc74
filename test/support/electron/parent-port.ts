// The parent port of a utility process in Electron, which replaces Node's own channel to a parent.
import { EventEmitter } from 'node:events';

const send = process.send?.bind(process);
const port = Object.assign(new EventEmitter(), { postMessage: (message: unknown) => void send?.(message) });
process.on('message', (data) => port.emit('message', { data }));
// The parent ended, so the process ends, as in Electron.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
Object.assign(process, { send: undefined, parentPort: port });
