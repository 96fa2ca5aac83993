import { Link, useLocation } from 'wouter';
import { areaTexts } from '../../texts/portal/areas.ts';
import { shellTexts } from '../../texts/portal/shell.ts';
import { LanguageSwitch } from '../../ui/switches.tsx';
import { AREA_GROUPS } from '../areas.tsx';

export function Navigation() {
  const [location] = useLocation();
  return (
    <>
      {AREA_GROUPS.map(({ name, areas }) => (
        <div key={name} className="navigation-group">
          <p className="navigation-title">{areaTexts.groups[name]}</p>
          <ul>
            {areas.map((area) => (
              <li key={area.path}>
                <Link
                  href={area.path}
                  className="navigation-link"
                  aria-current={isWithin(location, area.path) ? 'page' : undefined}
                >
                  {areaTexts[area.name]}
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
        <LanguageSwitch />
      </p>
    </>
  );
}

function isWithin(location: string, path: string): boolean {
  return location === path || (path !== '/' && location.startsWith(`${path}/`));
}
