// Long versions of the fault tests, all or only some (test/faults/soaks):
//   node scripts/soak.mjs [uploads …] [--amount N] [--for 1h] [--seed 1000]
// uploads: kills the upload at random moments while the service fails; N kills, default 100.
// exports: kills exports, whose bytes must equal those of an uninterrupted run; N kills, default 50.
// mirrors: kills N updates of a mirror while late records arrive, default 20.
// On Linux about half of these kills are power losses: what was not flushed becomes zeros, is cut, or is undone.
// fuzz: sends hostile calls of the whole contract to the application; N calls, default 50,000.
// rows: exports and uploads N rows with the built command line; default 10,000,000 (5 GB of memory).
// tapes: reads N damaged DLIS and LIS files, default 10,000.
// simulate: histories of the simulator on all cores, new ones each time; N seconds (or --for 1h), default an hour.
// planted: plants each fault of test/simulator/planted.ts, and runs histories until one fails; at most N, default 20,000.
// branches: runs unit tests and N histories, default 1,200, and names each branch of the engines that neither has run.
// cases: all tests with what `npm test` leaves out: all cases, long tests, and N times as many runs of laws; default 3.
// Exit code 1: a row was lost or stored twice, a file differs, a call did harm, a branch never ran, or a test failed.
import { runProgram } from './lib/setup.mjs';

process.exitCode = await runProgram('test/faults/soak.ts');
