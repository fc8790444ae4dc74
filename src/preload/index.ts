import { contextBridge, ipcRenderer, webUtils } from 'electron';
import { channels, type Bridge } from '../shared/bridge.ts';

// Runs sandboxed, in a world of its own beside the page: it carries, and knows nothing of what it carries.
const bridge: Bridge<File> = {
  offerFile: async (file) => ipcRenderer.invoke(channels.offer, webUtils.getPathForFile(file)),
};
contextBridge.exposeInMainWorld('wellbench', bridge);

// A port can't cross the bridge as an argument; it travels as a transferred part of messages, one end to each side.
window.addEventListener('message', (event) => {
  if (event.source !== window || event.data !== channels.connect) return;
  const { port1, port2 } = new MessageChannel();
  ipcRenderer.postMessage(channels.connect, null, [port1]);
  window.postMessage(channels.port, window.location.origin, [port2]);
});
