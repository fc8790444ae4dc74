import * as z from 'zod';

// The page's policy allows no code made from text, which zod would otherwise use for its schemas.
z.config({ jitless: true });
