/** How deep lists and objects may stand in each other. The services' database itself ends at 100. */
export const maxDepth = 200;
