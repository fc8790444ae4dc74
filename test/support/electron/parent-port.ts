// What a utility process of Electron has in place of Node's own way to a parent.
import { EventEmitter } from 'node:events';

const send = process.send?.bind(process);
const port = Object.assign(new EventEmitter(), { postMessage: (message: unknown) => void send?.(message) });
process.on('message', (data) => port.emit('message', { data }));
// The parent is gone: Electron's ends with it.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
Object.assign(process, { send: undefined, parentPort: port });
