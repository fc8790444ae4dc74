// What is used of undici is imported by itself: the whole of it, with fetch, caches and mocks, takes a third of the time
// in which a single question on the command line is answered.
declare module 'undici/lib/dispatcher/agent.js' {
  import { Agent } from 'undici';
  export default Agent;
}

declare module 'undici/lib/core/connect.js' {
  import { buildConnector } from 'undici';
  export default buildConnector;
}
