// Every request of the core is dispatched by an agent of this module.
export { Agent } from 'undici';
