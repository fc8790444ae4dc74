import './api/early-socket.ts';
import './zod.ts';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import '@fontsource-variable/inter/wght.css';
import './styles/tokens.css';
import './styles/base.css';
import './styles/layout.css';
import './styles/controls.css';
import './styles/fields.css';
import './styles/parts.css';
import './styles/popups.css';
import './styles/contrast.css';
import { chooseCarrier, portsForThreads } from './api/carrier.ts';
import { createReconnectingLink } from './api/reconnecting.ts';
import { App } from './app/app.tsx';
import { composeCommands } from './app/commands/compose-commands.ts';
import { compose } from './app/compose.ts';

const place = document.getElementById('root');
if (!place) throw new Error('the page has no place for the window');

const parts = compose(createReconnectingLink(chooseCarrier(window)), portsForThreads(window));
const app = { ...parts, commands: composeCommands(parts) };
parts.start(new AbortController().signal);

createRoot(place).render(
  <StrictMode>
    <App parts={app} />
  </StrictMode>,
);
