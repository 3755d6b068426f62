@echo off
rem Starts Heatshield, from a checkout or from an unpacked distribution.
rem Exit code 3 means that it could not be started. HEATSHIELD_JAVA_OPTS holds more options for Java.
setlocal EnableExtensions DisableDelayedExpansion
set "HEAT_HOME=%~dp0"
set "HEAT_HOME=%HEAT_HOME:~0,-1%"

set "HEAT_JAVA=java.exe"
if exist "%HEAT_HOME%\jre\bin\java.exe" (
  set "HEAT_JAVA=%HEAT_HOME%\jre\bin\java.exe"
) else if defined JAVA_HOME (
  if exist "%JAVA_HOME%\bin\java.exe" (
    set "HEAT_JAVA=%JAVA_HOME%\bin\java.exe"
  ) else (
    echo heatshield: JAVA_HOME is "%JAVA_HOME%", where there is no bin\java.exe; using the java of the PATH 1>&2
  )
)

set "HEAT_VERSION="
for /f "tokens=3" %%v in ('call "%HEAT_JAVA%" -version 2^>^&1 ^| findstr /c:" version "') do if not defined HEAT_VERSION set "HEAT_VERSION=%%~v"
if not defined HEAT_VERSION (
  echo heatshield: needs Java 17 or newer; set JAVA_HOME to one, or put it on the PATH 1>&2
  exit /b 3
)
for /f "delims=.-+" %%m in ("%HEAT_VERSION%") do set "HEAT_MAJOR=%%m"
if %HEAT_MAJOR% LSS 17 (
  echo heatshield: needs Java 17 or newer, and found Java %HEAT_VERSION%; set JAVA_HOME to a newer one 1>&2
  exit /b 3
)

set "HEAT_APP=%HEAT_HOME%"
if exist "%HEAT_HOME%\lib" goto run
if not exist "%HEAT_HOME%\cli\pom.xml" (
  echo heatshield: finds neither lib nor sources in %HEAT_HOME% 1>&2
  exit /b 3
)

rem A checkout: built once. The stamp is written last, so that a build cut short is never taken for a finished one.
set "HEAT_MADE=%HEAT_HOME%\cli\target\launch\heatshield-cli\home"
set "HEAT_STAMP=%HEAT_HOME%\cli\target\launch\built.txt"
if "%~1"=="--rebuild" (
  if exist "%HEAT_STAMP%" del "%HEAT_STAMP%"
  shift /1
)
if exist "%HEAT_STAMP%" goto built
where mvn >nul 2>nul
if errorlevel 1 (
  echo heatshield: needs Maven 3.8 or newer to build itself on first use: put mvn on the PATH 1>&2
  exit /b 3
)
echo heatshield: building, on first use only; this takes a minute or two 1>&2
if exist "%HEAT_MADE%" rmdir /s /q "%HEAT_MADE%"
pushd "%HEAT_HOME%"
call mvn -B -ntp -q -Dlaunch package -pl cli -am 1>&2
if errorlevel 1 (
  popd
  echo heatshield: the build failed 1>&2
  exit /b 3
)
popd
echo built>"%HEAT_STAMP%"
:built
for /d %%d in ("%HEAT_MADE%\heatshield-*") do set "HEAT_APP=%%d"

:run
set "HEAT_JAR="
for %%j in ("%HEAT_APP%\lib\heatshield-cli-*.jar") do set "HEAT_JAR=%%j"
if not defined HEAT_JAR (
  echo heatshield: finds no heatshield-cli jar in %HEAT_APP%\lib 1>&2
  exit /b 3
)
set "HEAT_OPTIONS=-XX:+ExitOnOutOfMemoryError -Dfile.encoding=UTF-8"
if %HEAT_MAJOR% GEQ 24 set "HEAT_OPTIONS=%HEAT_OPTIONS% --enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow"

rem %* keeps what shift removed, so the arguments are passed on one by one.
set "HEAT_ARGUMENTS="
:arguments
if "%~1"=="" goto start
set HEAT_ARGUMENTS=%HEAT_ARGUMENTS% %1
shift /1
goto arguments

:start
"%HEAT_JAVA%" %HEAT_OPTIONS% %HEATSHIELD_JAVA_OPTS% -cp "%HEAT_JAR%" io.heatshield.cli.Heatshield %HEAT_ARGUMENTS%
exit /b %ERRORLEVEL%
