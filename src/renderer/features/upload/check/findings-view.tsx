import { words } from '../../../words/words.ts';
import { sizeOf, type FindingGroup } from './findings.ts';
import { ProblemTable } from './problem-table.tsx';
import { FindingList } from './warning-list.tsx';

const w = words.upload.check;

/** What was found of the file, by how much it weighs, each with its count and what settles it. */
export function FindingsView({ groups }: { groups: readonly FindingGroup[] }) {
  return groups.map((group) => (
    <section key={group.severity} aria-labelledby={`upload-${group.severity}`}>
      <h2 id={`upload-${group.severity}`}>{w.groups[group.severity](sizeOf(group))}</h2>
      <FindingList findings={group.findings} open />
      <ProblemTable problems={group.problems} trial />
    </section>
  ));
}
