import {
  MessageChannel,
  parentPort,
  Worker,
  type MessagePort,
  type ResourceLimits,
} from 'node:worker_threads';
import { fileURLToPath } from 'node:url';
import { nodePort, serve, type ServedFunctions, type ThreadPort } from '../../shared/threads.ts';
import { workerUrl, type WorkerName } from './workers.ts';
import { clearTimeout, setTimeout } from './time.ts';

export { Worker } from 'node:worker_threads';

/** How long an idle thread waits for its next use, in milliseconds. */
const idleMs = 5000;
/** A thread whose heap is larger doesn't wait, in bytes: the engine of tables may need the memory. */
const maxIdleBytes = 64 << 20;

interface KeptThread {
  readonly worker: Worker;
  onEnd: (problem: string) => void;
}

/** At most one idle thread of each kind: a start takes three times the CPU time of an empty thread. */
const idleThreads = new Map<string, { readonly thread: KeptThread; readonly timer: NodeJS.Timeout }>();

function startThread(name: WorkerName, resourceLimits: ResourceLimits): KeptThread {
  const worker = new Worker(workerUrl(name), { resourceLimits });
  const thread: KeptThread = { worker, onEnd: () => undefined };
  nodePort(worker).onEnd((problem) => thread.onEnd(problem));
  return thread;
}

function takeIdle(kind: string): KeptThread | undefined {
  const idle = idleThreads.get(kind);
  if (!idle) return undefined;
  clearTimeout(idle.timer);
  idleThreads.delete(kind);
  idle.thread.worker.ref();
  return idle.thread;
}

function keep(kind: string, thread: KeptThread, maxBytes: number): void {
  const end = (): void => {
    if (idleThreads.get(kind)?.thread !== thread) return;
    takeIdle(kind);
    void thread.worker.terminate();
  };
  const endIfLarge = async (): Promise<void> => {
    const { total_heap_size: heap, external_memory: external } = await thread.worker.getHeapStatistics();
    if (heap + external > maxBytes) end();
  };
  idleThreads.set(kind, { thread, timer: setTimeout(end, idleMs).unref() });
  thread.onEnd = () => void takeIdle(kind);
  thread.worker.unref();
  endIfLarge().catch(() => undefined);
}

/**
 * The port to a worker thread that `serveUses`. A thread whose use ended in order waits a moment for the next one, and keeps
 * nothing running meanwhile; after a failure, or in the middle of a call, it ends at once.
 * @param maxBytes of the heap of a thread that waits
 */
export function threadPort(
  name: WorkerName,
  resourceLimits: ResourceLimits,
  maxBytes = maxIdleBytes,
): ThreadPort {
  const kind = `${name} ${JSON.stringify(resourceLimits)}`;
  const thread = takeIdle(kind) ?? startThread(name, resourceLimits);
  const { port1, port2 } = new MessageChannel();
  thread.worker.postMessage(port2, [port2]);
  const { send, onMessage } = nodePort(port1);
  return {
    send,
    onMessage,
    onEnd: (listener) => void (thread.onEnd = listener),
    close(isIdle = false) {
      thread.onEnd = () => undefined;
      port1.close();
      if (isIdle && !idleThreads.has(kind)) keep(kind, thread, maxBytes);
      else void thread.worker.terminate();
    },
  };
}

/**
 * In a worker thread: serves its uses, each with calls of its own.
 * @param createCalls creates them; `close`, if there is one, is also called when the use has ended
 * @param toError converts a thrown value
 */
export function serveUses<C extends ServedFunctions<C> & { close?(): void }>(
  createCalls: () => C,
  toError: Parameters<typeof serve>[2],
): void {
  parentPort?.on('message', (port: MessagePort) => {
    const calls = createCalls();
    port.on('close', () => calls.close?.());
    serve<C>(nodePort(port), calls, toError);
  });
}

/** The port of a process of the application. Closing it kills the process at once. */
export interface ProcessPort extends ThreadPort {
  /** Whether it keeps this process running. */
  setReferenced(isReferenced: boolean): void;
}

/** The workers that are processes: what they load can block, or end, the process that it runs in. */
export type ProcessName = Extract<WorkerName, 'keychain' | 'parquet' | 'engine'>;

export type StartProcess = (name: ProcessName, env: NodeJS.ProcessEnv) => ProcessPort;

/** What Windows programs need to start. The rest may have credentials, for which native code has no use. */
export const systemVariables = ({ SystemRoot, windir }: NodeJS.ProcessEnv): NodeJS.ProcessEnv => ({
  SystemRoot,
  windir,
});

/** Starts a process with plain Node; Electron has another implementation. */
export const startProcess: StartProcess = (name, env) => {
  // Loaded on demand: most starts need no process.
  const { fork } = process.getBuiltinModule('node:child_process');
  const child = fork(fileURLToPath(workerUrl(name)), [], {
    env,
    execArgv: [],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    // Memory, such as pages of records, crosses as it is.
    serialization: 'advanced',
  });
  return {
    send(message) {
      child.send(message, (error) => {
        if (error) child.kill('SIGKILL');
      });
    },
    onMessage: (listener) => void child.on('message', listener),
    onEnd(listener) {
      child.once('error', ({ message }) => listener(message));
      child.once('exit', (code, signal) => listener(`the ${name} process ended (${signal ?? code ?? ''})`));
    },
    close: () => void child.kill('SIGKILL'),
    setReferenced(isReferenced) {
      if (isReferenced) child.ref();
      else child.unref();
      if (isReferenced) child.channel?.ref();
      else child.channel?.unref();
    },
  };
};
