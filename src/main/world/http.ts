// Every request of the core is dispatched by an agent of this module.
// All of undici, with its caches, mocks, and web sockets, would take a tenth of a second of each start.
export { default as Agent } from 'undici/lib/dispatcher/agent.js';
