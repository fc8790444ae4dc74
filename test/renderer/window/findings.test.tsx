import { screen } from '@testing-library/dom';
import { createRoot } from 'react-dom/client';
import { it } from 'vitest';
import { useFindings } from '../../../src/renderer/features/query/editing/findings.tsx';

function Findings({ look }: { look: () => Promise<string> }) {
  return <p>{useFindings(look) ?? '0 problems left'}</p>;
}

it('a check that fails leaves no findings of the text before', async () => {
  const root = createRoot(document.body.appendChild(document.createElement('div')));
  const [found, failing] = [async () => 'a problem', () => Promise.reject(new Error('the worker ended'))];
  root.render(<Findings look={found} />);
  await screen.findByText('a problem');
  root.render(<Findings look={failing} />);
  await screen.findByText('0 problems left');
  root.unmount();
});
