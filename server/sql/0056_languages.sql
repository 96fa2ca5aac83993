-- The language in which a person last signed in, which is that of mails; null until a sign-in has named one.
alter table accounts add column language text;
