-- Three roles: one that makes the tables, one that works with them, one that only reads. Run once by
-- a superuser, with psql 14 or newer: `psql --file roles.sql`. The passwords come from the environment.
\set ON_ERROR_STOP on
\getenv owner_password ASSIZE_OWNER_PASSWORD
\getenv app_password ASSIZE_APP_PASSWORD
\getenv reader_password ASSIZE_READER_PASSWORD
CREATE ROLE assize_owner LOGIN PASSWORD :'owner_password';
CREATE ROLE assize_app LOGIN PASSWORD :'app_password';
CREATE ROLE assize_reader LOGIN PASSWORD :'reader_password';
CREATE DATABASE assize OWNER assize_owner;
\connect assize
REVOKE ALL ON SCHEMA public FROM PUBLIC;
GRANT CREATE, USAGE ON SCHEMA public TO assize_owner;
GRANT USAGE ON SCHEMA public TO assize_app, assize_reader;
ALTER DEFAULT PRIVILEGES FOR ROLE assize_owner IN SCHEMA public
    GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO assize_app;
ALTER DEFAULT PRIVILEGES FOR ROLE assize_owner IN SCHEMA public
    GRANT SELECT ON TABLES TO assize_reader;
