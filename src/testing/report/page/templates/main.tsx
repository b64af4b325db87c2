import { render } from 'preact';
import { TemplatesApp } from './app.tsx';
import '../style.css';
import './templates.css';

const app = document.querySelector('#app');
document.title = 'Templates';
if (app) render(<TemplatesApp />, app);
