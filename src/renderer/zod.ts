import { config } from 'zod';

// The page's policy allows no code made from text, which zod would otherwise try at the first schema: this module
// must be the first that is imported.
config({ jitless: true });
