import { contextBridge, ipcRenderer, webUtils } from 'electron';
import { channels, type Bridge, type Offered } from '../shared/bridge.ts';

// Runs sandboxed, in its own world beside the page. It passes messages on without reading them.

/** Main's responses for files that were dropped or picked in this window, by path, until the page takes them. */
const offers = new Map<string, Promise<Offered>[]>();
const offer = (path: string): Promise<Offered> => ipcRenderer.invoke(channels.offer, path);

/** Exchanges the paths of dropped and picked files for tokens. A page can make events of its own, but no trusted ones. */
function offerFiles(event: Event): void {
  if (!event.isTrusted) return;
  const files =
    event instanceof DragEvent
      ? event.dataTransfer?.files
      : event.target instanceof HTMLInputElement && event.target.files;
  for (const file of files || []) {
    const path = webUtils.getPathForFile(file);
    offers.set(path, [...(offers.get(path) ?? []), offer(path)]);
  }
}
// In the capture phase, and before any script of the page runs: no listener of the page comes first.
for (const name of ['drop', 'change']) window.addEventListener(name, offerFiles, true);

const bridge: Bridge<File> = {
  async offerFile(file) {
    const offered = offers.get(webUtils.getPathForFile(file))?.shift();
    // Main says why a file that nobody dropped or picked here is refused.
    return offered ?? offer('');
  },
};
contextBridge.exposeInMainWorld('wellbench', bridge);

// A port can't cross the bridge as an argument; it travels as a transferred part of messages, one end to each side.
window.addEventListener('message', (event) => {
  if (event.source !== window || event.data !== channels.connect) return;
  const { port1, port2 } = new MessageChannel();
  ipcRenderer.postMessage(channels.connect, null, [port1]);
  window.postMessage(channels.port, window.location.origin, [port2]);
});
