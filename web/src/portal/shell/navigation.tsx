import { Link, useLocation } from 'wouter';
import { shellTexts } from '../../texts/portal/shell.ts';
import { AREA_GROUPS } from '../areas.tsx';

export function Navigation() {
  const [location] = useLocation();
  return (
    <>
      {AREA_GROUPS.map(({ title, areas }) => (
        <div key={title} className="navigation-group">
          <p className="navigation-title">{title}</p>
          <ul>
            {areas.map((area) => (
              <li key={area.path}>
                <Link
                  href={area.path}
                  className="navigation-link"
                  aria-current={isWithin(location, area.path) ? 'page' : undefined}
                >
                  {area.title}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      ))}
      <p className="navigation-foot">
        <a href="/docs" target="_blank" rel="noreferrer">
          {shellTexts.reference}
        </a>
      </p>
    </>
  );
}

function isWithin(location: string, path: string): boolean {
  return location === path || (path !== '/' && location.startsWith(`${path}/`));
}
